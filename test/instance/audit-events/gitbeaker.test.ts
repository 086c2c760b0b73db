import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-9.audit.clients
test('@gitbeaker/rest lists and shows audit events of the instance, a group and a project', async (t) => {
  const [admin, group] = [await app.build.admin(), await app.build.group()];
  const project = await app.build.projectIn(group);
  const { AuditEvents: events } = new Gitlab({ host: app.url, token: admin.token });
  await app.as(group.owner).put(`/groups/${group.id}`, { membership_lock: true });
  for (const ids of [{ groupId: group.id }, { projectId: project.id }]) {
    const [event] = await events.all(ids);
    t.truthy(event?.details.custom_message);
    t.deepEqual(await events.show(event?.id as number, ids as never), event);
  }
  const ofProject = await events.all({ entityType: 'Project', entityId: project.id } as never);
  t.deepEqual(
    ofProject.map(({ entity_id: id }) => id),
    ofProject.map(() => project.id),
  );
  t.is((await events.show(ofProject[0]?.id as number)).entity_type, 'Project');
  const everything = await events.all({ pagination: 'keyset', orderBy: 'id', sort: 'desc', perPage: 2 } as never);
  t.true(everything.length > 2, 'keyset pages are followed to the end');
});
