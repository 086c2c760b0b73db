import test from 'ava';
import { Gitlab } from '@gitbeaker/rest';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: core-5.gitbeaker
test('@gitbeaker/rest creates, edits, shows and removes a project', async (t) => {
  const user = await app.build.user();
  const { Projects } = new Gitlab({ host: app.url, token: user.token });
  const project = await Projects.create({
    name: 'Client',
    description: 'made by a *client*',
    topics: ['one', 'two'],
    initializeWithReadme: true,
    issuesAccessLevel: 'private',
  });
  t.deepEqual(project.topics, ['one', 'two']);
  t.is(project.issues_access_level, 'private');
  await app.work();
  const edited = await Projects.edit(project.id, { mergeMethod: 'ff', topics: ['three'], buildTimeout: 7200 });
  t.like(edited, { merge_method: 'ff', topics: ['three'], build_timeout: 7200 });
  const details = await Projects.show(project.id, { statistics: true, license: true });
  t.is(details.description_html, '<p dir="auto">made by a <em>client</em></p>');
  t.is(details.statistics.commit_count, 1);
  t.true(String(details.readme_url).endsWith('/-/blob/main/README.md'));
  t.deepEqual(await Projects.showLanguages(project.id), {} as never);
  await Projects.remove(project.id);
  t.is((await app.as(user).get(`/projects/${project.id}`)).body.marked_for_deletion_on, '2030-01-01');
});
