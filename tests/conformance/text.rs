//! What kernels print on its way to the host: who gets it, when, and what happens when there is too much of it.

use crate::kernels::printing::{print_count, print_to_both, print_value};
use kernel_runtime::{Device, PrintStream, Queue};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

type Text = (PrintStream, String);

/// A queue of the default device, and what its kernels print.
fn queue() -> (Queue, Receiver<Text>) {
    let queue = Device::best().unwrap().queue().unwrap();
    let (sender, texts) = mpsc::channel();
    queue.on_print(move |stream, text| {
        // Who drops the receiver does not want the text.
        let _ = sender.send((stream, text.to_owned()));
    });
    (queue, texts)
}

fn output(text: &str) -> Text {
    (PrintStream::Output, text.to_owned())
}

#[test]
fn text_comes_when_the_queue_is_synchronised_in_the_order_of_launches() {
    let (queue, texts) = queue();
    let x = queue.upload(&[7_u32]).unwrap();
    print_to_both(&x).launch(&queue, 1).unwrap();
    print_value(&x).launch(&queue, 1).unwrap();
    print_to_both(&x).launch(&queue, 1).unwrap();
    assert!(texts.try_recv().is_err());
    queue.synchronize().unwrap();
    let warning = (PrintStream::Error, "warning\n".to_owned());
    let once = [output("both 7, "), warning];
    let expected: Vec<Text> = [&once[..], &[output("value 7\n")], &once].concat();
    assert_eq!(texts.try_iter().collect::<Vec<_>>(), expected);
    // Nothing comes twice.
    queue.synchronize().unwrap();
    print_value(&x).launch(&queue, 1).unwrap();
    queue.download(&x).unwrap();
    assert_eq!(texts.try_iter().collect::<Vec<_>>(), [output("value 7\n")]);
}

#[test]
fn text_comes_although_the_kernel_faults() {
    let (queue, texts) = queue();
    let x = queue.upload(&[7_u32]).unwrap();
    print_value(&x).launch(&queue, 2).unwrap();
    let error = queue.synchronize().unwrap_err();
    assert!(error.to_string().contains("index out of bounds: the len is 1 but the index is 1"), "{error}");
    // The work-item that faults ends before it prints; the other one does print.
    assert_eq!(texts.try_iter().collect::<Vec<_>>(), [output("value 7\n")]);
}

#[test]
fn who_gets_text_may_name_somebody_else() {
    let queue = Arc::new(Device::best().unwrap().queue().unwrap());
    let (sender, texts) = mpsc::channel();
    let within = Arc::downgrade(&queue);
    queue.on_print(move |_, text| {
        let (first, other) = (sender.clone(), sender.clone());
        first.send(format!("first {text}")).unwrap();
        let queue = within.upgrade().unwrap();
        queue.on_print(move |_, text| other.send(format!("second {text}")).unwrap());
        print_value(&queue.upload(&[8_u32]).unwrap()).launch(&queue, 1).unwrap();
    });
    print_value(&queue.upload(&[7_u32]).unwrap()).launch(&queue, 1).unwrap();
    queue.synchronize().unwrap();
    assert_eq!(texts.try_iter().collect::<Vec<_>>(), ["first value 7\n"]);
    queue.synchronize().unwrap();
    assert_eq!(texts.try_iter().collect::<Vec<_>>(), ["second value 8\n"]);
}

#[test]
fn what_finds_no_room_is_counted() {
    let (queue, texts) = queue();
    // A record has three words here.
    let fit = (1 << 20) / 12;
    for round in 0..2 {
        print_count(fit + 5).launch(&queue, 2).unwrap();
        queue.synchronize().unwrap();
        let texts: Vec<Text> = texts.try_iter().collect();
        assert_eq!(texts.len(), fit as usize + 1, "round {round}");
        let (last, lines) = texts.split_last().unwrap();
        assert!(lines.iter().all(|(_, line)| line.trim_end().parse::<u32>().unwrap() < fit + 5));
        let lost = format!("[{} more lines of kernels are lost", fit + 10);
        assert!(last.0 == PrintStream::Error && last.1.starts_with(&lost), "{last:?}");
    }
}

#[test]
fn text_comes_when_the_queue_is_dropped() {
    let (queue, texts) = queue();
    print_count(1).launch(&queue, 1).unwrap();
    drop(queue);
    assert_eq!(texts.iter().collect::<Vec<_>>(), [output("0\n")]);
}
