import { BASE, EPOCH } from './sizes.js';
import type { Part } from './sizes.js';

/** The hours and minutes that people choose: most at night, on the hour. */
const CRON = `case when pg_temp.pick(i, 41, 3) = 0 then pg_temp.pick(i, 42, 60) else 0 end || ' ' || pg_temp.pick(i, 43, 24) || ' * * *'`;

/** One of a hundred failed at last, one of two hundred was missed. */
const LAST_STATE = `case when pg_temp.pick(s.id, 46, 100) = 0 then 'failed' when pg_temp.pick(s.id, 47, 200) = 0 then 'missed' else 'fired' end`;

/** The schedules of every tenth project, ten each, with their last three runs; one of fifty is inactive for ever. */
export const schedules: Part = {
  name: 'schedules',
  statements: ({ projects, schedules: count }) => [
    `insert into pipeline_schedules (id, project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                     created_at, updated_at)
     select ${BASE} + i, p.id, p.creator_id, initcap(pg_temp.verb(i, 44)) || ' the ' || pg_temp.noun(i, 45),
            'refs/heads/main', ${CRON}, 'UTC', i % 50 <> 0,
            case when i % 50 <> 0 then ${EPOCH} + interval '1100 days' + pg_temp.pick(i, 48, 86400) * interval '1 second' end,
            p.created_at, p.updated_at
       from generate_series(1, ${count}) i
       join projects p on p.id = ${BASE} + 3 + (i - 1) / 10 * 10 % ${projects}`,
    'alter table pipeline_schedule_runs disable trigger user',
    `insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, reason,
                                         started_at, created_at)
     select s.project_id, s.id, run.due_at, 'cron', s.owner_id, run.state,
            case when run.state = 'failed' then 'The ref does not exist.' end,
            case when run.state <> 'missed' then run.due_at + interval '40 milliseconds' end, run.due_at
       from pipeline_schedules s cross join generate_series(1, 3) day
       cross join lateral (select ${EPOCH} + interval '1090 days' + day * interval '1 day' as due_at,
                                  case when day = 3 then ${LAST_STATE} else 'fired' end as state) run
      where s.id > ${BASE} order by day, s.id`,
    'alter table pipeline_schedule_runs enable trigger user',
    `update pipeline_schedules s set trouble = trouble_of_schedule(s.id) where trouble_of_schedule(s.id) is not null`,
  ],
};
