import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { clone, git, urlOf } from './git-client.js';

const app = useApp(test);

test('a commit is pushed and stands in the repository and its index', async (t) => {
  const project = await app.build.project();
  const copy = await clone(t, app, project, { as: project.owner });
  t.is(copy.code, 0, copy.stderr);
  writeFileSync(join(copy.folder, 'a.txt'), 'a\n');
  await copy.inside('add', '.');
  await copy.inside('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qm', 'Add a');
  const pushed = await git(['-C', copy.folder, 'push', urlOf(app, project, project.owner), 'HEAD:main', 'HEAD:refs/heads/x']);
  t.is(pushed.code, 0, pushed.stderr);
  t.log(pushed.stderr, pushed.stdout);
});
