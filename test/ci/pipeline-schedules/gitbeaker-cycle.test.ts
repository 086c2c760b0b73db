import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function connected() {
  const project = await app.build.project();
  const client = (token: string) => new Gitlab({ host: app.url, token });
  return { project, api: client(project.owner.token), as: client };
}

// Contract: issue-03.done-gitbeaker
test('@gitbeaker/rest does the whole cycle of a schedule', async (t) => {
  const { project, api, as } = await connected();
  const schedule = await api.PipelineSchedules.create(project.id, 'Nightly', 'main', '0 1 * * *', {
    cronTimezone: 'Tokyo',
    active: false,
  });
  t.is(schedule.cron_timezone, 'Tokyo');
  t.false(schedule.active);
  t.is((await api.PipelineSchedules.all(project.id, { scope: 'inactive' })).length, 1);
  const edited = await api.PipelineSchedules.edit(project.id, schedule.id, { cron: '0 2 * * *', active: true });
  t.is(edited.cron, '0 2 * * *');
  const maintainer = await app.build.member(project, 'maintainer');
  const reassigned = await as(maintainer.token).PipelineSchedules.takeOwnership(project.id, schedule.id);
  t.is(reassigned.owner?.id, maintainer.id);
  await api.PipelineSchedules.run(project.id, schedule.id);
  await app.work();
  const [pipeline] = await api.PipelineSchedules.allTriggeredPipelines(project.id, schedule.id);
  const details = await api.PipelineSchedules.show(project.id, schedule.id);
  t.is(details.last_pipeline.id, pipeline?.id as number);
  await api.PipelineSchedules.remove(project.id, schedule.id);
  await t.throwsAsync(() => api.PipelineSchedules.show(project.id, schedule.id), { message: /Not Found/ });
});

// Contract: issue-03.done-gitbeaker
test('@gitbeaker/rest does the whole cycle of a schedule variable', async (t) => {
  const { project, api } = await connected();
  const { id } = await api.PipelineSchedules.create(project.id, 'Nightly', 'main', '0 1 * * *');
  const variable = await api.PipelineScheduleVariables.create(project.id, id, 'KEY', 'one', { variableType: 'file' });
  t.like(variable, { key: 'KEY', value: 'one', variable_type: 'file' });
  const edited = await api.PipelineScheduleVariables.edit(project.id, id, 'KEY', 'two');
  t.like(edited, { key: 'KEY', value: 'two', variable_type: 'file' });
  t.is((await api.PipelineSchedules.show(project.id, id)).variables?.length, 1);
  await api.PipelineScheduleVariables.remove(project.id, id, 'KEY');
  t.deepEqual((await api.PipelineSchedules.show(project.id, id)).variables, []);
});

// Contract: issue-03.done-gitbeaker
test('@gitbeaker/rest does the whole cycle of protected tags and branches', async (t) => {
  const { project, api } = await connected();
  const tag = await api.ProtectedTags.create(project.id, 'release/*', { createAccessLevel: 30 });
  t.is(tag.create_access_levels?.[0]?.access_level, 30);
  t.is((await api.ProtectedTags.show(project.id, 'release/*')).name, 'release/*');
  t.is((await api.ProtectedTags.all(project.id)).length, 1);
  await api.ProtectedTags.unprotect(project.id, 'release/*');
  t.deepEqual(await api.ProtectedTags.all(project.id), []);
  const branch = await api.ProtectedBranches.create(project.id, 'stable-*', {
    pushAccessLevel: 0,
    mergeAccessLevel: 30,
  });
  t.is(branch.push_access_levels?.[0]?.access_level, 0);
  const edited = await api.ProtectedBranches.edit(project.id, 'stable-*', { allowForcePush: true });
  t.true(edited.allow_force_push);
  t.is((await api.ProtectedBranches.all(project.id)).length, 2, 'and main');
  await api.ProtectedBranches.unprotect(project.id, 'stable-*');
  t.is((await api.ProtectedBranches.all(project.id)).length, 1);
});
