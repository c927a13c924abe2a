/** The Worker whose visitors see each write at once, as the attacks compare what they see before and after one. */
import worker from '../../src/index.ts'
import { MAX_AGE } from '../../src/resources/listings/search/engine.ts'

MAX_AGE.visitors = 0

export default worker
