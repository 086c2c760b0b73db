import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { KINDS } from '../containers.js';

const app = useApp(test);

const URLS = {
  link_url: 'https://example.com/%{project_path}/%{default_branch}',
  image_url: 'https://example.com/%{project_id}.svg?sha=%{commit_sha}&tag=%{latest_tag}',
};

// Contract: badges-8.record, badges-8.placeholders, badges-8.create, badges-8.update, badges-8.delete, badges-8.groups
test('a project shows its badges and those of the groups above it, with placeholders filled in', async (t) => {
  const above = await app.build.group();
  const group = await app.build.group({ owner: above.owner, parent: above });
  const project = await app.build.projectIn({ ...group, owner: above.owner }, { empty: false });
  const as = app.as(above.owner);
  const badges = `/projects/${project.id}/badges`;
  const response = await as.post(badges, { ...URLS, name: 'own' });
  t.is(response.status, 201);
  await as.post(`/projects/${project.id}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const sha = (await as.get(`/projects/${project.id}/repository/branches/main`)).body.commit.id;
  t.deepEqual((await as.get(`${badges}/${response.body.id}`)).body, {
    id: response.body.id,
    name: 'own',
    ...URLS,
    rendered_link_url: `https://example.com/${project.full_path}/main`,
    rendered_image_url: `https://example.com/${project.id}.svg?sha=${sha}&tag=v1`,
    kind: 'project',
  });
  const every = ['title', 'name', 'namespace'].map((name) => `%{project_${name}}`).join('/');
  const others = await as.put(`${badges}/${response.body.id}`, {
    link_url: `https://x/${every}/%{group_name}/%{other}`,
  });
  t.is(
    others.body.rendered_link_url,
    `https://x/${project.name}/${project.path}/${group.full_path}/${above.path}/%{other}`,
  );
  const ofGroup = (await as.post(`/groups/${above.id}/badges`, { ...URLS, name: 'above' })).body;
  t.like(ofGroup, { kind: 'group', rendered_link_url: URLS.link_url });
  const listed = (await as.get(badges)).body as { name: string; kind: string; rendered_link_url: string }[];
  t.deepEqual(
    listed.map(({ name, kind }) => [name, kind]),
    [
      ['own', 'project'],
      ['above', 'group'],
    ],
  );
  t.is(listed[1]?.rendered_link_url, `https://example.com/${project.full_path}/main`);
  t.deepEqual((await as.get(`${badges}?name=above`)).body.length, 1);
  // Group badges can only be changed in the group.
  t.is((await as.put(`${badges}/${ofGroup.id}`, { name: 'x' })).status, 404);
  t.is((await as.delete(`${badges}/${ofGroup.id}`)).status, 404);
  t.is((await as.delete(`/groups/${above.id}/badges/${ofGroup.id}`)).status, 204);
  t.is((await as.delete(`${badges}/${response.body.id}`)).status, 204);
  t.deepEqual((await as.get(badges)).body, []);
});

for (const kind of KINDS) {
  // Contract: badges-8.urls, badges-8.render
  test(`URLs of badges of a ${kind} lead somewhere by HTTP`, async (t) => {
    const container = kind === 'project' ? await app.build.project({ empty: true }) : await app.build.group();
    const badges = `/${kind}s/${container.id}/badges`;
    const as = app.as(container.owner);
    const scheme = 'is blocked: Only allowed schemes are http, https';
    for (const [link_url, problem] of [
      ['javascript:alert(1)', scheme],
      ['data:text/html,x', scheme],
      ['ftp://example.com', scheme],
      ['JavaScript://example.com/%0aalert(1)', scheme],
      ['//example.com', 'is blocked: URI is invalid'],
      ['no url', 'is blocked: URI is invalid'],
      ['%{project_path}://x', scheme],
      ['https://user:pass@example.com', 'is blocked: URI is invalid'],
      ['', "can't be blank"],
      [`https://example.com/${'x'.repeat(2048)}`, 'is too long (maximum is 2048 characters)'],
    ]) {
      const { status, body } = await as.post(badges, { link_url, image_url: 'https://example.com' });
      t.deepEqual([status, body], [400, { message: { link_url: [problem] } }], link_url);
      const query = new URLSearchParams({ link_url: link_url ?? '', image_url: 'https://example.com' });
      t.is((await as.get(`${badges}/render?${query}`)).status, 400, link_url);
    }
    t.is((await as.post(badges, { link_url: 'https://example.com' })).status, 400);
    const query = new URLSearchParams({ link_url: 'https://x/%{project_id}', image_url: 'https://x/i' });
    const { status, body } = await as.get(`${badges}/render?${query}`);
    t.is(status, 200);
    t.deepEqual(body, {
      name: null,
      link_url: 'https://x/%{project_id}',
      image_url: 'https://x/i',
      rendered_link_url: kind === 'project' ? `https://x/${container.id}` : 'https://x/%{project_id}',
      rendered_image_url: 'https://x/i',
    });
  });

  // Contract: badges-8.role
  test(`badges of a ${kind} are read by whoever reads it, and changed by those who run it`, async (t) => {
    for (const visibility of ['private', 'public']) {
      const container =
        kind === 'project'
          ? await app.build.project({ empty: true, visibility })
          : await app.build.group({ visibility });
      const badges = `/${kind}s/${container.id}/badges`;
      const member = (role: 'guest' | 'developer' | 'maintainer' | 'owner') =>
        kind === 'project' ? app.build.member(container, role) : app.build.groupMember(container, role);
      const open = visibility === 'public' ? 200 : 404;
      t.is((await app.anonymous.get(badges)).status, open);
      t.is((await app.as(await app.build.user()).get(badges)).status, open);
      t.is((await app.as(await member('guest')).get(badges)).status, 200);
      const [low, high] =
        kind === 'project' ? (['developer', 'maintainer'] as const) : (['maintainer', 'owner'] as const);
      t.is((await app.as(await member(low)).post(badges, URLS)).status, 403);
      t.is((await app.as(await member(high)).post(badges, URLS)).status, 201);
    }
  });
}

// Contract: badges-8.code
test('placeholders say nothing of code that the caller may not read', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const as = app.as(project.owner);
  const badges = `/projects/${project.id}/badges`;
  await as.post(badges, { link_url: 'https://x/%{default_branch}/%{commit_sha}', image_url: 'https://x' });
  await as.put(`/projects/${project.id}`, {
    repository_access_level: 'private',
    merge_requests_access_level: 'private',
    builds_access_level: 'private',
  });
  t.regex((await as.get(badges)).body[0].rendered_link_url, /^https:\/\/x\/main\/[0-9a-f]{40}$/);
  t.is((await app.anonymous.get(badges)).body[0].rendered_link_url, 'https://x//');
});

// Contract: badges-8.gitbeaker
test('@gitbeaker/rest makes, previews, lists, edits and removes badges', async (t) => {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, {});
  const { ProjectBadges, GroupBadges } = new Gitlab({ host: app.url, token: group.owner.token });
  for (const [badges, id] of [
    [ProjectBadges, project.id],
    [GroupBadges, group.id],
  ] as const) {
    const badge = await badges.add(id, URLS.link_url, URLS.image_url, { name: 'a' });
    t.is((await badges.show(id, badge.id)).id, badge.id);
    t.is((await badges.all(id)).length, 1);
    t.is((await badges.preview(id, URLS.link_url, URLS.image_url)).link_url, URLS.link_url);
    t.like(await badges.edit(id, badge.id, { linkUrl: 'https://example.com' }), { link_url: 'https://example.com' });
    await badges.remove(id, badge.id);
    t.deepEqual(await badges.all(id), []);
  }
});
