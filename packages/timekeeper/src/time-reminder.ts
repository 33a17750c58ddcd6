/** The clock, as a row of the bundle. */
export * from 'dsh-time-reminder'
