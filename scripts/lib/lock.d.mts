/**
 * Runs a job while holding a lock file, so that two commands of one checkout do not write the same folder at once.
 * The lock of a process that died is taken over.
 * @param path the lock file; its folder is made
 * @param onWait told once, with the pid of the holder, when the lock is not free; what it throws ends the wait
 * @param job runs while the lock is held
 * @param longestHold milliseconds after which a holder counts as gone although a process has its pid; 30 minutes unless told
 * @returns what the job returns; the lock is free again, also when the job throws or the process exits
 */
export declare const withLock: <T>(path: string, onWait: (holder: number) => void, job: () => T | Promise<T>, longestHold?: number) => Promise<T>
