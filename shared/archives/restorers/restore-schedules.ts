import { sql } from 'kysely';
import { scheduleLimits, nextRunAt, scheduleProblems } from '../../ci/pipeline-schedules/schedule-rules.js';
import { SCHEDULE_SETTINGS, scheduleSettings } from '../../ci/pipeline-schedules/schedule-settings.js';
import { anyOf } from '../../core/database/expressions.js';
import { declaredProblems, settingEntries, settingType } from '../../tenancy/namespaces/declared-settings.js';
import {
  attribute,
  containerId,
  copiedRows,
  idValue,
  nextId,
  recordLineProblems,
  recordset,
  tables,
  time,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

const RELATION = 'pipeline_schedules';
/** Schedules of a project at most, where the instance has no limit. */
const MOST = 1000;

interface Row extends Record<(typeof SCHEDULE_SETTINGS)[number], string | null> {
  line: number;
  description: string;
  ref: string;
  cron: string;
  cron_timezone: string;
}

const COLUMN_TYPES: Readonly<Record<string, string>> = { boolean: 'boolean', integer: 'int' };

/** The settings of a schedule: from the archive, otherwise the defaults of a new one. */
const settingValues = settingEntries(scheduleSettings).map(([name, one]) => {
  const value = sql`${sql.ref(`x.${name}`)}::${sql.raw(COLUMN_TYPES[settingType(one)] ?? 'text')}`;
  return (one.initial === null ? value : sql`coalesce(${value}, ${sql.lit(one.initial)})`).as(name);
});

/** The problems of the settings, which their parameters read from the texts of an archive; what is not there has none. */
function settingProblems(row: Row): Record<string, string[]> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string[]> = {};
  for (const [name, one] of settingEntries(scheduleSettings)) {
    const read = one.param.safeParse(row[name as keyof typeof scheduleSettings] ?? undefined);
    if (read.success) values[name] = read.data;
    else problems[name] = ['is invalid'];
  }
  return { ...problems, ...declaredProblems(scheduleSettings, values) };
}

/** The branch or tag that a schedule runs on, by its full name. */
const fullRef = (ref: string) => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

/** The first rows that are valid under the rules for new schedules; the problems of others are recorded. */
async function findValidSchedules(restoring: RestoringProject): Promise<(Row & { next: Date | null })[]> {
  const { ctx } = restoring;
  const most = scheduleLimits(ctx).perProject || MOST;
  const rows = await tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select((eb) => [
      'r.line',
      attribute('description').$castTo<string>().as('description'),
      attribute('ref').$castTo<string>().as('ref'),
      eb.fn.coalesce(attribute('cron'), sql.lit('')).as('cron'),
      eb.fn.coalesce(attribute('cron_timezone'), sql.lit('UTC')).as('cron_timezone'),
      ...SCHEDULE_SETTINGS.map((name) => attribute(name).as(name)),
    ])
    .where(copiedRows(restoring, RELATION))
    .orderBy('r.line')
    .limit(most)
    .execute();
  const now = ctx.clock.now();
  const problems: { line: number; problem: string }[] = [];
  const valid = rows.flatMap((row) => {
    const [problem] = Object.entries({
      ...scheduleProblems(row, now),
      ...settingProblems(row),
    });
    if (problem === undefined) return [{ ...row, ref: fullRef(row.ref), next: nextRunAt(row, now) }];
    problems.push({ line: row.line, problem: `${problem[0]} ${problem[1].join(', ')}` });
    return [];
  });
  await recordLineProblems(restoring, RELATION, problems);
  const last = rows.at(-1)?.line ?? 0;
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ problem: `is one more than the ${most} schedules that a project may have` })
    .where(copiedRows(restoring, RELATION))
    .where('r.line', '>', last)
    .execute();
  return valid;
}

/** Pipeline schedules: inactive, and their importer's. Values of their variables were not in the archive. */
export const scheduleRestorer: Restorer<RestoringProject> = {
  relation: RELATION,
  async restore(restoring) {
    const rows = await findValidSchedules(restoring);
    if (rows.length === 0) return;
    await tables(restoring)
      .updateTable('archive_import_rows as r')
      .set({ made_id: nextId('pipeline_schedules') })
      .where(copiedRows(restoring, RELATION))
      .where(
        'r.line',
        '=',
        anyOf(
          rows.map(({ line }) => line),
          'int',
        ),
      )
      .execute();
    const records = recordset(
      rows.map(({ next, ...row }) => ({ ...row, next: next?.toISOString() ?? null })),
      'x',
      {
        line: 'int',
        description: 'text',
        ref: 'text',
        cron: 'text',
        cron_timezone: 'text',
        next: 'text',
        ...(Object.fromEntries(SCHEDULE_SETTINGS.map((name) => [name, 'text'])) as Record<
          (typeof SCHEDULE_SETTINGS)[number],
          'text'
        >),
      },
    );
    await tables(restoring)
      .insertInto('pipeline_schedules')
      .columns([
        ...(['id', 'project_id', 'owner_id', 'description', 'ref', 'cron', 'cron_timezone', 'active'] as const),
        ...SCHEDULE_SETTINGS,
        ...(['next_run_at', 'created_at', 'updated_at'] as const),
      ])
      .expression((eb) =>
        eb
          .selectFrom(records)
          .innerJoin('archive_import_rows as r', (join) =>
            join.on(copiedRows(restoring, RELATION)).onRef('r.line', '=', 'x.line'),
          )
          .select(({ cast }) => [
            'r.made_id',
            containerId(restoring).as('project_id'),
            idValue(restoring.ctx.caller.id).as('owner_id'),
            'x.description',
            'x.ref',
            'x.cron',
            'x.cron_timezone',
            sql.lit(false).as('active'),
            ...settingValues,
            cast<Date | null>('x.next', 'timestamptz').as('next_run_at'),
            time(restoring, 'created_at').as('created_at'),
            time(restoring, 'updated_at').as('updated_at'),
          ])
          .orderBy('x.line'),
      )
      .execute();
  },
};
