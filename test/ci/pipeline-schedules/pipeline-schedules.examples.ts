import type { Serializer } from '../../../shared/core/operations/serializer.js';
import {
  scheduleDetails,
  scheduleVariable,
} from '../../../shared/ci/pipeline-schedules/pipeline-schedule.serializer.js';
import { sql } from 'kysely';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const notAudited = 'work of its owner, a Developer; taking it over is in the log';
const SCHEDULE = '/projects/:id/pipeline_schedules/:pipeline_schedule_id';

/** So many milliseconds from now. */
const at = (sandbox: Sandbox, later: number) => new Date(sandbox.app.clock.now().getTime() + later).toISOString();

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'PipelineSchedule',
    serializer: scheduleDetails as Serializer<never>,
    restOnly: [],
    graphqlOnly: ['refForDisplay', 'refPath', 'forTag', 'realNextRun', 'project', 'editPath', 'userPermissions'],
  },
  {
    type: 'PipelineScheduleVariable',
    serializer: scheduleVariable as Serializer<never>,
    graphqlOnly: ['id'],
  },
];

export default {
  records: {
    [SCHEDULE]: async (sandbox) => (await sandbox.schedule()).id,
    [`${SCHEDULE}/variables/:key`]: async (sandbox, { pipeline_schedule_id: id }) => {
      const variable = { key: `KEY_${sandbox.unique()}`, value: 'v' };
      return (await sandbox.post(`/projects/${sandbox.project.id}/pipeline_schedules/${id}/variables`, variable)).key;
    },
  },
  requests: {
    // Within reach of the tests' clock.
    'GET /pipeline_schedules/forecast/schedules': {
      params: { from: (sandbox) => at(sandbox, 0), to: (sandbox) => at(sandbox, 3_600_000) },
    },
    [`GET ${SCHEDULE}/runs/export`]: { ownForm: 'a table, as long as the schedule ran' },
    [`PUT ${SCHEDULE}`]: { notAudited },
    [`DELETE ${SCHEDULE}`]: { notAudited },
    [`POST ${SCHEDULE}/variables`]: { notAudited },
    [`PUT ${SCHEDULE}/variables/:key`]: { notAudited },
    [`DELETE ${SCHEDULE}/variables/:key`]: { notAudited },
  },
  graphql: {
    added: ['Project.pipelineSchedules'],
    pairs,
    fill: async ({ app, user, project }) => {
      const inputs = [{ name: 'input', value: 'x' }];
      const { id } = await app.build.schedule({ project, owner: user, inputs });
      const path = `/projects/${project.id}/pipeline_schedules/${id}/variables`;
      await app.as(user).post(path, { key: 'KEY', value: 'value' });
      const now = app.clock.now();
      await app.context().query(sql`
        insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id,
                               pipeline_schedule_id, created_at, updated_at)
        values (${project.id}, 1, 'main', false, repeat('a', 40), repeat('0', 40), 'success', 'schedule', ${user.id},
                ${id}, ${now}, ${now})`);
    },
  },
} satisfies AreaExamples;
