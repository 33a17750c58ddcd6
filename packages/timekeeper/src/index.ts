export * from 'dsh-client-ui-schedule'
