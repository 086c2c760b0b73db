import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** Signs that mean something in Markdown, or end a line. */
const SIGNS = '\\`*_{}[]()<>#+!|~@$%^&=/:;"?,\r\n\t';

/** The name of somebody on another server as words that say nothing else, of at most 255 characters. */
export const plainName = (name: Sql): Sql => sql`left(trim(translate(coalesce(${name}, ''), ${SIGNS}, '')), 255)`;
