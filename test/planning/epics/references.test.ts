import test from 'ava';
import { useApp } from '../../core/app.js';
import { epicIn } from './epic-steps.js';

const app = useApp(test);

// Contract: epics-8.references
test('& names an epic of the group, or of another one by its path; whoever may not see it reads text', async (t) => {
  const group = await app.build.group({ visibility: 'public' });
  const project = await app.build.projectIn(group, { visibility: 'public' });
  const { id, iid } = await epicIn(app, group, { title: 'Engine & more' });
  const hidden = await epicIn(app, group, { confidential: true });
  const html = async (as: typeof app.anonymous, text: string, options: object = { project: project.full_path }) =>
    (await as.post('/markdown', { text, gfm: true, ...options })).body.html as string;
  const as = app.as(group.owner);
  const href = `/groups/${group.full_path}/-/epics/${iid}`;
  const own = await html(as, `see &${iid} and &999`);
  t.regex(own, /class="gfm gfm-epic/);
  t.true(own.includes(`data-epic="${id}"`) && own.includes(href), own);
  t.true(own.includes('&amp;999'));
  const full = await html(as, `see ${group.full_path}&${iid}`, {});
  t.true(full.includes(href) && full.includes(`>${group.full_path}&amp;${iid}</a>`), full);
  const { web_url: url } = (await as.get(`/groups/${group.id}/epics/${iid}`)).body;
  t.true((await html(as, url)).includes(`data-epic="${id}"`));
  t.true((await html(as, `&${hidden.iid}`)).includes('gfm-epic'));
  t.false((await html(app.as(await app.build.user()), `&${hidden.iid}`)).includes('gfm-epic'));
  // An epic's own text speaks of its group.
  await as.put(`/groups/${group.id}/epics/${iid}`, { description: `after &${hidden.iid}` });
  const query = `{ group(fullPath: "${group.full_path}") { epic(iid: "${iid}") { descriptionHtml } } }`;
  const { body } = await as.graphql(query);
  t.true(body.data.group.epic.descriptionHtml.includes(`data-epic="${hidden.id}"`));
});
