import { PROJECT_COLUMNS, FULL_TABLES, projectJson } from './project-json.js';
import type { ProjectRow } from './project-json.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const TEXT = `select ${PROJECT_COLUMNS}, ${ACCESS} as access from ${FULL_TABLES} where p.id = $2`;

/** `GET /projects/:id` for members. */
export async function projectRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [row] = await db.rows<ProjectRow>('project', TEXT, [userId, Number(match[1])]);
  if (!row || row.access < 10) return null;
  return { body: JSON.stringify(projectJson(row, db.externalUrl)) };
}
