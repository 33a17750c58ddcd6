export * from 'dsh-tool-schedule'
