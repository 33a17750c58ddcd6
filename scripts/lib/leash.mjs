// Loaded into every host that we start, so that no host outlives the process that started it, not even one that was
// killed: the channel between the two closes with either end, and the host then ends as if it had been told to.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// A host that has nothing left to do must still be able to end.
process.channel?.unref()
