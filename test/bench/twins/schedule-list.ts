import { pageHeaders } from './page-headers.js';
import { mayReadSchedules, PROJECT_RIGHTS, SCHEDULE_COLUMNS, scheduleJson } from './schedule-json.js';
import type { RightsRow, ScheduleRow } from './schedule-json.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const PER_PAGE = 20;

const PAGE = `select ${SCHEDULE_COLUMNS} from pipeline_schedules s left join users o on o.id = s.owner_id
  where s.project_id = $1 order by s.id desc limit $2`;

/** The first page of `GET /projects/:id/pipeline_schedules`; there is but one. */
export async function scheduleList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const projectId = Number(match[1]);
  const [rights] = await db.rows<RightsRow>('rights', PROJECT_RIGHTS, [userId, projectId]);
  if (!mayReadSchedules(rights)) return null;
  const rows = await db.rows<ScheduleRow>('schedules', PAGE, [projectId, PER_PAGE + 1]);
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => scheduleJson(row, db.externalUrl))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${projectId}/pipeline_schedules`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      rows.length,
    ),
  };
}
