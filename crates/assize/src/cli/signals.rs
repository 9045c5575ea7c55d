//! Being told to end: Ctrl-C, and what a shell, a scheduler or a closed terminal sends.

/// Waits until somebody wants the process to end. From the first look at it on, that no longer ends it by itself.
#[cfg(unix)]
pub(super) async fn told_to_end() -> std::io::Result<()> {
    use std::task::Poll;
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let mut signals = kinds.into_iter().map(signal).collect::<std::io::Result<Vec<_>>>()?;
    std::future::poll_fn(|context| {
        let told = signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
        if told { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    Ok(())
}

/// The same where there is only Ctrl-C.
#[cfg(not(unix))]
pub(super) async fn told_to_end() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
