import { pageHeaders } from './page-headers.js';
import { mayReadSchedules, SCHEDULE_COLUMNS, scheduleJson, WITH_RIGHTS } from './schedule-json.js';
import type { Rights, ScheduleRow } from './schedule-json.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const PER_PAGE = 20;

// A project without schedules results in one row, whose schedule is null.
const PAGE = `${WITH_RIGHTS}
  select rights.*, ${SCHEDULE_COLUMNS} from rights
    left join pipeline_schedules s on s.project_id = rights.project_id left join users o on o.id = s.owner_id
   order by s.id desc limit ${PER_PAGE + 1}`;

/** The first page of `GET /projects/:id/pipeline_schedules`; there is but one. */
export async function scheduleList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const projectId = Number(match[1]);
  const found = await db.rows<Rights & ScheduleRow>('schedules', PAGE, [userId, projectId]);
  if (!mayReadSchedules(found[0])) return null;
  const rows = found.filter((row) => row.id !== null);
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
