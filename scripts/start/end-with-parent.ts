/**
 * Loaded into wrangler: ends it, and with it the runtime below it, when the channel to `npm start` closes, however that
 * comes about. Signals alone do not do it: Windows has none, and whoever is killed sends none.
 */
process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM'))
