import { crc32, deflateSync } from 'node:zlib';
import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { changedFile, positionOn, update } from '../notes/diff-notes/diff-steps.js';
import { becomes, focusIs, inBrowser, inspect, openPage, settled, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const redirect = (path: string) => `/users/sign_in?redirect_to=${encodeURIComponent(path)}`;
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).and(page.locator(':focus')).waitFor();

/** A merge request that changes a file, of a user who can sign in, and the URL of its changes. */
async function changed() {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const change = await changedFile(app, { owner });
  const page = `/${change.project.full_path}/-/merge_requests/${change.iid}`;
  return { ...change, owner, page, diffs: `${page}/diffs` };
}

// Contract: web.diff-threads
test.serial(
  'a person reads threads at their lines, starts one by keyboard, answers and resolves, and sees what later commits outdated',
  inBrowser(async (t) => {
    const { project, as, branch, after, owner, refs, discussions, diffs, page: overview } = await changed();
    const other = await app.build.user({ name: 'Charles Babbage' });
    await app
      .as(other)
      .post(discussions, { body: 'Why **changed**?', position: positionOn(await refs(), { new_line: 10 }) });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(diffs));
    const file = page.getByRole('article', { name: 'code.txt' });
    const comment = file.getByRole('article', { name: 'Comment by Charles Babbage' });
    await comment.locator('strong').waitFor();
    await app.calm();
    const urls: string[] = [];
    page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) urls.push(new URL(request.url()).pathname);
    });
    await page.goto('about:blank');
    urls.length = 0;
    await page.goto(app.url + diffs);
    await comment.waitFor();
    await settled(page);
    t.true(urls.length <= 6, urls.join(', '));
    // By keyboard: Tab reaches one line of the file, the arrows the others.
    const line = (name: string) => file.getByRole('button', { name: `Comment on ${name} of code.txt` });
    await line('line 7').focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await focusIs(t, page, 'Comment on added line 10 of code.txt');
    await page.keyboard.press('ArrowUp');
    await focusIs(t, page, 'Comment on removed line 10 of code.txt');
    await page.keyboard.press('Enter');
    await focusIs(t, page, 'Comment on removed line 10');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await focusIs(t, page, 'Comment on removed line 10 of code.txt', 'who cancels is where they were');
    await line('added line 16').click();
    await focusIs(t, page, 'Comment on added line 16');
    await page.keyboard.type('What for?');
    await inspect(t, page, 'diff-thread-new');
    await page.getByRole('button', { name: 'Start thread' }).click();
    await said(page, 'Thread started.');
    await file.getByText('What for?').waitFor();
    await line('line 15').click();
    await file.getByLabel('Comment on line 15', { exact: true }).fill('Still there');
    await page.getByRole('button', { name: 'Start thread' }).click();
    await file.getByText('Still there').waitFor();
    const threads = (await as.get(discussions)).body as { notes: { body: string; position: object }[] }[];
    t.deepEqual(
      threads.map(({ notes }) => [
        notes[0]?.body,
        Object.entries(notes[0]?.position ?? {}).filter(([key]) => key.endsWith('_line')),
      ]),
      [
        [
          'Why **changed**?',
          [
            ['old_line', null],
            ['new_line', 10],
          ],
        ],
        [
          'What for?',
          [
            ['old_line', null],
            ['new_line', 16],
          ],
        ],
        [
          'Still there',
          [
            ['old_line', 15],
            ['new_line', 15],
          ],
        ],
      ],
    );
    const row = file
      .getByRole('row')
      .filter({ has: page.getByRole('article', { name: 'Comment by Charles Babbage' }) });
    await row.getByRole('button', { name: 'Reply' }).click();
    await row.getByLabel('Reply').fill('It was slow.');
    await row.getByRole('button', { name: 'Add reply' }).click();
    await file.getByText('It was slow.').waitFor();
    await file.getByRole('button', { name: 'Resolve thread' }).first().click();
    await said(page, 'Thread resolved.');
    await file.getByText('resolved by Ada Lovelace').waitFor();
    await inspect(t, page, 'diff-threads');
    // Line 10 goes, and the others move.
    await update(app, project, branch, ['first\n', ...after.with(9, 'again\n')].join(''));
    await app.work();
    await page.reload();
    const outdated = page.getByRole('region', { name: 'Outdated threads' });
    await outdated.getByText('It was slow.').waitFor();
    await outdated.getByText('On code.txt, line 10').waitFor();
    await file.getByText('What for?').waitFor();
    await inspect(t, page, 'diff-threads-outdated');
    await page.goto(app.url + overview);
    await page.getByText('On code.txt, line 17').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.diff-threads
test.serial(
  'what a thread proposes is committed by a button, once; who is not signed in sees the changes alone',
  inBrowser(async (t) => {
    const { owner, project, branch, refs, discussions, diffs, as } = await changed();
    const ann = await app.build.member(project, 'developer');
    const body = 'Better:\n```suggestion\nbetter\n```';
    await app.as(ann).post(discussions, { body, position: positionOn(await refs(), { new_line: 10 }) });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(app.url + diffs);
    const file = page.getByRole('article', { name: 'code.txt' });
    await file.getByText('changed').waitFor();
    await becomes(t, () => file.getByRole('button').count(), 0);
    await signIn(page, app, owner, redirect(diffs));
    await file.getByRole('button', { name: 'Apply suggestion for line 10' }).waitFor();
    await inspect(t, page, 'suggestion');
    await file.getByRole('button', { name: 'Apply suggestion for line 10' }).click();
    await page.getByText('suggestion for line 10 applied').waitFor();
    const { text } = await as.get(`/projects/${project.id}/repository/files/code.txt/raw?ref=${branch}`);
    t.true(text.includes('line 9\nbetter\nline 11\n'));
    await becomes(t, () => page.getByRole('button', { name: /^Apply suggestion/ }).count(), 0);
    untroubled(t, app, watched);
  }),
);

/** A black picture. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

// Contract: web.diff-places
test.serial(
  'a person comments on several lines, on a file as a whole, and on a point of a picture',
  inBrowser(async (t) => {
    const { owner, project, as, branch, discussions, diffs } = await changed();
    const actions = [
      { action: 'create', file_path: 'logo.png', content: png(400, 200).toString('base64'), encoding: 'base64' },
    ];
    const commit = { branch, commit_message: 'Draw', actions };
    t.is((await as.post(`/projects/${project.id}/repository/commits`, commit)).status, 201);
    await app.work();
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(diffs));
    const file = page.getByRole('article', { name: 'code.txt', exact: true });
    await file.getByRole('button', { name: 'Comment on added line 10 of code.txt' }).click();
    await file.getByLabel('Comment on added line 10', { exact: true }).fill('These three');
    await file.getByLabel('Start line').selectOption({ label: 'line 9' });
    await inspect(t, page, 'diff-thread-lines');
    // Opening another form does not discard the typed text.
    await file.getByRole('button', { name: 'Comment on line 11 of code.txt' }).click();
    await file.getByLabel('Comment on line 11', { exact: true }).fill('One more');
    await becomes(t, () => file.getByLabel('Comment on added line 10', { exact: true }).inputValue(), 'These three');
    await file.getByRole('button', { name: 'Start thread' }).first().click();
    await file.getByText('On lines 9 to 10').waitFor();
    await becomes(t, () => file.getByLabel('Comment on line 11', { exact: true }).inputValue(), 'One more');
    await file.getByRole('button', { name: 'Comment on code.txt' }).click();
    await focusIs(t, page, 'Comment on code.txt');
    await page.keyboard.type('All of it');
    await file.getByRole('button', { name: 'Cancel' }).last().click();
    await file.getByRole('button', { name: 'Start thread' }).click();
    await file.getByText('All of it').waitFor();
    const picture = page.getByRole('article', { name: 'logo.png', exact: true });
    const frame = picture.getByRole('button', { name: 'Comment on a point of logo.png' });
    await frame.click({ position: { x: 40, y: 20 } });
    await picture.getByLabel('Comment on a point of logo.png', { exact: true }).last().fill('Here');
    // Selecting another point keeps the typed text.
    await frame.click({ position: { x: 60, y: 20 } });
    await frame.click({ position: { x: 40, y: 20 } });
    t.true(Math.abs(Number(await picture.getByLabel('Pixels from the left').inputValue()) - 40) <= 2);
    await picture.getByLabel('Pixels from the top').fill('25');
    await inspect(t, page, 'diff-thread-picture');
    await picture.getByRole('button', { name: 'Start thread' }).click();
    await picture.getByText('Here', { exact: true }).waitFor();
    // By keyboard it is the middle.
    await frame.focus();
    await page.keyboard.press('Enter');
    await becomes(t, () => picture.getByLabel('Pixels from the left').inputValue(), '200');
    const threads = (await as.get(discussions)).body as {
      notes: { body: string; position: Record<string, unknown> }[];
    }[];
    const positions = new Map(threads.map(({ notes }) => [notes[0]?.body, notes[0]?.position]));
    t.like(positions.get('These three'), { position_type: 'text', new_line: 10 });
    const range = positions.get('These three')?.line_range as Record<string, object>;
    t.like(range.start, { old_line: 9, new_line: 9, type: null });
    t.like(range.end, { old_line: null, new_line: 10, type: 'new' });
    t.like(positions.get('All of it'), { position_type: 'file', new_path: 'code.txt' });
    t.like(positions.get('Here'), { position_type: 'image', new_path: 'logo.png', width: 400, height: 200, y: 25 });
    untroubled(t, app, watched);
  }),
);
