/** Imported before any schema is made: the page's policy forbids code made of text, which zod would try. */
import { z } from 'zod'

z.config({ jitless: true })
