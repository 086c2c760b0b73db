import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const connect = ({ token }: { token: string }) => new Gitlab({ host: app.url, token });

// Contract: gitbeaker.projects.lifecycle
test('@gitbeaker/rest archives, moves, deletes and restores a project', async (t) => {
  const project = await app.build.project();
  const api = connect(project.owner);
  t.true((await api.Projects.archive(project.id)).archived);
  t.false((await api.Projects.unarchive(project.id)).archived);
  const group = await app.build.group({ owner: project.owner });
  const locations = await api.Projects.allTransferLocations(project.id, { search: group.path });
  t.deepEqual(
    locations.map(({ id }) => id),
    [group.id],
  );
  const moved = await api.Projects.transfer(project.id, group.id);
  t.is((moved as unknown as { path_with_namespace: string }).path_with_namespace, `${group.path}/${project.path}`);
  await api.Projects.remove(project.id);
  t.is((await api.Projects.show(project.id)).marked_for_deletion_on, '2030-01-01');
  await api.Projects.restore(project.id);
  t.is((await api.Projects.show(project.id)).path_with_namespace, `${group.path}/${project.path}`);
});

// Contract: gitbeaker.projects.lifecycle
test('@gitbeaker/rest stars and forks a project', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const user = await app.build.user();
  const api = connect(user);
  t.is((await api.Projects.star(project.id)).star_count, 1);
  const starrers = await api.Projects.allStarrers(project.id);
  t.is(starrers[0]?.user.id, user.id);
  const path = `fork${unique()}`;
  const fork = await api.Projects.fork(project.id, { path, name: path });
  t.is(fork.import_status, 'scheduled');
  t.like(fork.forked_from_project, { id: project.id });
  await app.work();
  t.is((await api.Projects.show(fork.id)).import_status, 'finished');
  t.deepEqual(
    (await api.Projects.allForks(project.id)).map(({ id }) => id),
    [fork.id],
  );
  t.is((await api.Projects.show(project.id)).forks_count, 1);
  await api.Projects.removeForkRelationship(fork.id);
  t.is((await api.Projects.show(fork.id)).forked_from_project, undefined as never);
  await api.Projects.createForkRelationship(fork.id, project.id);
  t.like((await api.Projects.show(fork.id)).forked_from_project, { id: project.id });
  t.is((await api.Projects.unstar(project.id)).star_count, 0);
});

// Contract: gitbeaker.projects.lifecycle
test('@gitbeaker/rest lists users and groups of a project', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const api = connect(group.owner);
  t.deepEqual(
    (await api.Projects.allUsers(project.id)).map(({ id }) => id),
    [group.owner.id],
  );
  t.deepEqual(
    (await api.Projects.allGroups(project.id)).map(({ id }) => id),
    [group.id],
  );
});
