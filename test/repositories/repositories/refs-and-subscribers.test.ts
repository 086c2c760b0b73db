import test from 'ava';
import { subscriber } from '../../../shared/core/context/subscribers.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

/** Projects whose ref changes make the subscriber fail. */
const deafTo = new Set<number>();

const deaf = subscriber('deaf', ['refs.updated'], (_ctx, events) =>
  events.some(({ project_id }) => deafTo.has(project_id))
    ? Promise.reject(new Error('the queue is away'))
    : Promise.resolve(),
);

const app = useApp(test, [], { subscribers: [deaf] });

test('refs stay where they are, in git and in the index, where what follows from their move fails', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const refs = () => plainGit(getRepositoryPath(app.context(), project), ['for-each-ref']);
  const before = refs();
  deafTo.add(project.id);
  const path = `/projects/${project.id}/repository/branches`;
  t.is((await owner.post(path, { branch: 'story', ref: 'main' })).status, 500);
  t.is(refs(), before);
  t.is((await owner.get(`${path}/story`)).status, 404);
  deafTo.delete(project.id);
  t.is((await owner.post(path, { branch: 'story', ref: 'main' })).status, 201);
  t.not(refs(), before);
});
