import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { signIn as sessionOf, userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.snippets
test.serial(
  'a snippet of a project is made of files, shown, commented on, edited file by file, and deleted',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues`);
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Snippets' }).click();
    await page.getByText('No snippets yet.').waitFor();
    await inspect(t, page, 'snippets-empty');
    await page.getByRole('link', { name: 'Create a snippet' }).click();
    await focusIs(t, page, 'Title');
    await page.getByLabel('File name').fill('notes.md');
    await page.getByRole('button', { name: 'Create snippet' }).click();
    await page.getByText("Content can't be blank").waitFor();
    await focusIs(t, page, 'Content');
    await page.getByLabel('Content').fill('# Fuel\n\n<script>window.harmed = 1</script>\n\n**much**');
    await page.getByRole('button', { name: 'Add file' }).click();
    await page.getByLabel('File name 2').fill('src/burn.ts');
    await page.getByLabel('Content 2').fill('light();\nburn();\n');
    await page.getByRole('button', { name: 'Create snippet' }).click();
    await page.getByText("Title can't be blank").waitFor();
    await focusIs(t, page, 'Title');
    await inspect(t, page, 'snippet-new');
    await page.getByLabel('Title').fill('How it burns');
    await page.getByRole('button', { name: 'Create snippet' }).press('Enter');
    await page.getByText('Snippet “How it burns” created.').and(page.locator(':focus')).waitFor();
    const [, id] = /snippets\/(\d+)$/.exec(page.url()) ?? [];
    const of = `/projects/${project.id}/snippets/${id}`;
    const markdown = page.getByRole('region', { name: 'Content of notes.md' });
    await becomes(t, () => markdown.locator('strong').textContent(), 'much');
    t.is(await page.evaluate('window.harmed'), undefined);
    await becomes(
      t,
      () => page.getByRole('region', { name: 'Content of src/burn.ts' }).textContent(),
      'light();\nburn();\n',
    );
    const raw = await page.getByRole('link', { name: 'Raw content of src/burn.ts' }).getAttribute('href');
    t.is(raw, `/${project.full_path}/-/snippets/${id}/raw/main/src/burn.ts`);
    await page.getByLabel('Comment', { exact: true }).fill('Too **hot**');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Comment added.').and(page.locator(':focus')).waitFor();
    await page.getByRole('list', { name: 'Comments, oldest first' }).getByText('hot').waitFor();
    await inspect(t, page, 'snippet');

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await focusIs(t, page, 'Title');
    await page.getByRole('button', { name: 'Remove file 1' }).click();
    await page.getByLabel('File name').fill('src/flame.ts');
    await page.getByRole('button', { name: 'Add file' }).click();
    await page.getByLabel('File name 2').fill('notes.txt');
    await page.getByLabel('Content 2').fill('Less.');
    // Another user changes a field that this form leaves unchanged.
    await app.as(owner).put(of, { title: 'How it glows' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').and(page.locator(':focus')).waitFor();
    await page.getByRole('heading', { name: 'How it glows', level: 1 }).waitFor();
    const { body } = await app.as(owner).get(of);
    t.deepEqual(body.files.map((file: { path: string }) => file.path).toSorted(), ['notes.txt', 'src/flame.ts']);
    t.is((await app.as(owner).raw('GET', `/api/v4${of}/files/main/src%2Fflame.ts/raw`)).text, 'light();\nburn();\n');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete snippet' }).click();
    await page.getByText('Snippet “How it glows” deleted.').and(page.locator(':focus')).waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.snippets
test.serial(
  "personal snippets are listed with one's own in projects; others see what is not private, and change nothing",
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const other = await userWithPassword(app);
    const project = await app.build.project({ owner, name: 'Rocket' });
    const files = [{ file_path: 'a.txt', content: 'all' }];
    const { body: snippet } = await app
      .as(owner)
      .post('/snippets', { title: 'x'.repeat(200), visibility: 'internal', files });
    const { body: hidden } = await app.as(owner).post('/snippets', { title: 'Secret', visibility: 'private', files });
    const { body: within } = await app
      .as(owner)
      .post(`/projects/${project.id}/snippets`, { title: 'Within', visibility: 'private', files });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, '/users/sign_in?redirect_to=/-/snippets');
    await page.getByText(`a.txt, in ${project.full_path}`).waitFor();
    await inspect(t, page, 'snippets');
    await page.goto(`${app.url}/-/snippets/${within.id}`);
    await page.getByRole('heading', { name: 'Within', level: 1 }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}/-/snippets/${within.id}`);

    const foreign = await openPage(app, browser);
    await signIn(foreign.page, app, other, `/users/sign_in?redirect_to=/-/snippets/${snippet.id}`);
    await foreign.page.getByRole('region', { name: 'Content of a.txt' }).waitFor();
    await becomes(t, () => foreign.page.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await becomes(t, () => foreign.page.getByRole('button', { name: 'Delete', exact: true }).count(), 0);
    await foreign.page.goto(`${app.url}/-/snippets/${hidden.id}`);
    await foreign.page.getByText(/^Not found:/).waitFor();
    untroubled(t, app, watched);
    untroubled(t, app, foreign, 1);
  }),
);

// Contract: web.snippets
test.serial('raw_url leads to the content as the API sends it, and to nothing of others', async (t) => {
  const owner = await app.build.user();
  const project = await app.build.projectIn(await app.build.group({ owner }));
  const files = [{ file_path: 'a folder/ü?.txt', content: 'raw' }];
  const responses = await Promise.all(
    ['/snippets', `/projects/${project.id}/snippets`].map((path) =>
      app.as(owner).post(path, { title: 'Notes', visibility: 'private', files }),
    ),
  );
  const { cookie } = await sessionOf(app, owner);
  for (const { body } of responses)
    for (const url of [body.raw_url, body.files[0].raw_url] as string[]) {
      const path = url.slice(app.services.config.externalUrl.length);
      const { status, headers } = await app.withHeaders({ Cookie: cookie }).raw('GET', path);
      t.is(status, 303, path);
      const to = headers.get('location') ?? '';
      const answer = await app.withHeaders({ Cookie: cookie }).raw('GET', to);
      t.is(answer.status, 200, to);
      t.is(answer.text, 'raw');
      t.is((await app.withHeaders({}).raw('GET', to)).status, 404, to);
    }
  const { headers } = await app.withHeaders({}).raw('GET', '/-/snippets/1/raw');
  t.is(headers.get('location'), '/api/v4/snippets/1/raw');
  t.is((await app.withHeaders({}).raw('GET', '//elsewhere.invalid/-/snippets/1/raw')).status, 404);
});
