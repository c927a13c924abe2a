/**
 * Loaded into wrangler: ends it and its runtime when the IPC channel to `npm start` closes for any reason. Signals are
 * not enough: Windows has none, and a killed process sends none.
 */
process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM'))
