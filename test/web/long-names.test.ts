import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { unique } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { inBrowser, openPage, signIn } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** Names as long as most may be, of kinds that pages are seldom drawn with. */
const NAMES = {
  emoji: '🚀'.repeat(255),
  'right-to-left words': 'מערכת החלל של המחר '.repeat(14).slice(0, 255).trim(),
  'one word': 'x'.repeat(255),
} as const;

/** The narrowest screen, and a usual one at 200 %. */
const WIDTHS = [320, 640];

/** Run in the page: pixels that its content is wider than the screen. */
const BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/**
 * Run in the page: finds text that extends beyond the screen or is clipped. Scrollable containers show the rest, and so
 * does a title. Options of native selects are rendered by the browser.
 */
const CUT = `(() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const isCut = (parent, rect) => {
    for (let each = parent; each !== document.body; each = each.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(each);
      if (clipPath !== 'none' || /auto|scroll/.test(overflowX)) return false;
      const box = each.getBoundingClientRect();
      if (/hidden|clip/.test(overflowX) && (rect.right > box.right + 1 || rect.left < box.left - 1))
        return each.closest('[title]') === null;
    }
    return rect.right > width + 1 || rect.left < -1;
  };
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility() || parent.closest('select, datalist, textarea, script, style'))
      continue;
    range.selectNodeContents(node);
    if ([...range.getClientRects()].some((rect) => rect.width > 0 && isCut(parent, rect)))
      found.push(parent.tagName + ' ' + parent.className + ': ' + node.data.slice(0, 24));
  }
  return found;
})()`;

/** Everything that users can name, with this name. */
async function createAll(name: string) {
  const owner = await userWithPassword(app, { name: [...name].slice(0, 120).join('').trim() });
  const client = app.as(owner);
  const post = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
    return answer.body;
  };
  const number = unique();
  const group = await post('/groups', { name, path: `g${number}-${'x'.repeat(100)}` });
  const project = await post('/projects', {
    name,
    path: `p${number}-${'x'.repeat(100)}`,
    namespace_id: group.id,
    description: name,
    initialize_with_readme: true,
  });
  const own = `/projects/${project.id}`;
  // A file system takes names of 255 bytes.
  const branch = [...name.replaceAll(' ', '-')].slice(0, 55).join('').padEnd(60, 'x');
  await post(`${own}/repository/branches`, { branch, ref: 'main' });
  await post(`${own}/repository/commits`, {
    branch,
    commit_message: name,
    actions: [{ action: 'create', file_path: `${branch}.txt`, content: name }],
  });
  const schedule = await post(`${own}/pipeline_schedules`, { description: name, ref: branch, cron: '0 1 * * *' });
  await post(`${own}/labels`, { name, color: '#0b6a71' });
  const milestone = await post(`${own}/milestones`, { title: name });
  const issue = await post(`${own}/issues`, { title: name, labels: name, milestone_id: milestone.id });
  const request = { title: name, labels: name, milestone_id: milestone.id, target_branch: 'main' };
  await post(`${own}/merge_requests`, { ...request, source_branch: branch });
  await app.work();
  const path = `/${project.path_with_namespace}`;
  return {
    owner,
    pages: [
      '/',
      '/dashboard/projects',
      '/dashboard/groups',
      '/schedules',
      '/schedules/forecast',
      `/groups/${group.full_path}`,
      `/groups/${group.full_path}/-/pipeline_schedules`,
      path,
      `${path}/edit`,
      `${path}/-/branches`,
      `${path}/-/tree/${encodeURIComponent(branch)}`,
      `${path}/-/commits/main`,
      `${path}/-/project_members`,
      `${path}/-/pipeline_schedules`,
      `${path}/-/pipeline_schedules/${schedule.id}`,
      `${path}/-/pipeline_schedules/${schedule.id}/edit`,
      `${path}/-/issues`,
      `${path}/-/issues/${issue.iid}`,
      `${path}/-/issues/new`,
      `${path}/-/merge_requests`,
      `${path}/-/merge_requests/1`,
      `${path}/-/merge_requests/1/diffs`,
      `${path}/-/merge_requests/new`,
      `${path}/-/blob/${encodeURIComponent(branch)}/${encodeURIComponent(branch)}.txt`,
      `${path}/-/settings/repository`,
    ],
  };
}

/** Waits until the requested data is rendered. */
async function drawn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('output[aria-label^="Loading"]').first().waitFor({ state: 'detached' });
}

for (const [kind, name] of Object.entries(NAMES)) {
  // Contract: web.long-names
  test.serial(
    `names of ${kind} fit the narrowest screen and one at 200 %, and are not cut`,
    inBrowser(async (t) => {
      const { owner, pages } = await createAll(name);
      const { page } = await openPage(app, browser);
      await signIn(page, app, owner);
      const found: string[] = [];
      for (const path of pages) {
        await page.goto(app.url + path);
        await drawn(page);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 640 });
          const at = `${path.replaceAll(/x{9,}/g, 'x')} at ${width}`;
          const beyond = await page.evaluate<number>(BEYOND);
          if (beyond > 0) found.push(`${at}: ${beyond} px wider than the screen`);
          found.push(...(await page.evaluate<string[]>(CUT)).map((cut) => `${at}: cut is ${cut}`));
        }
      }
      t.deepEqual(found, []);
    }),
  );
}
