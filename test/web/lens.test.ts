import { runInNewContext } from 'node:vm';
import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.lens
test.serial(
  'c shows the calls behind a page in each language with their answers, sends one again, and shows no secret',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const schedule = await app.build.schedule({ project, owner, description: 'Nightly build' });
    const variables = `/projects/${project.id}/pipeline_schedules/${schedule.id}/variables`;
    t.is((await app.as(owner).post(variables, { key: 'PASSPHRASE', value: 'open sesame' })).status, 201);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const { keyboard } = page;
    await signIn(page, app, owner);
    const address = `/${project.full_path}/-/pipeline_schedules/${schedule.id}`;
    await page.goto(app.url + address);
    await page.getByRole('button', { name: 'Show values' }).click();
    await page.getByText('open sesame').waitFor();
    await page.getByRole('link', { name: 'Capstan' }).focus();
    await keyboard.press('c');
    const lens = page.getByRole('dialog', { name: 'API calls of this page' });
    await lens.waitFor();
    const call = lens.getByRole('combobox', { name: 'Call' });
    const snippetAs = async (name: string) => {
      await lens.getByRole('radio', { name }).check();
      return (await lens.getByLabel(`Call as ${name}`, { exact: true }).textContent()) ?? '';
    };
    const names = await call.locator('option').allTextContents();
    const choose = async (name: RegExp) => {
      const label = names.find((each) => name.test(each));
      t.truthy(label, `${name} is among ${names.join(', ')}`);
      await call.selectOption({ label: label as string });
    };

    await choose(/^GET \/api\/v4\/projects\/.*\/pipeline_schedules\/\d+$/);
    const answer = lens.getByLabel('Response');
    await answer.getByText('"description": "Nightly build"').waitFor();
    await becomes(t, () => answer.textContent(), /"value": "\[hidden\]"/);
    t.notRegex((await lens.textContent()) ?? '', /open sesame/);
    const path = `projects/${encodeURIComponent(project.full_path)}/pipeline_schedules/${schedule.id}`;
    const curl = await snippetAs('curl');
    t.regex(curl, /PRIVATE-TOKEN: \$TOKEN/);
    t.true(curl.includes(`'${app.url}/api/v4/${path}'`), curl);
    t.true((await snippetAs('python-gitlab')).includes(`gl.http_get("/${path}")`));
    const gitbeaker = await snippetAs('@gitbeaker/rest');
    t.true(gitbeaker.includes(`requester.get("${path}")`), gitbeaker);
    await inspect(t, page, 'lens');
    const again = page.waitForResponse((response) => response.url().endsWith(`/${path}`));
    await lens.getByRole('button', { name: 'Resend' }).click();
    t.is((await again).status(), 200);
    await lens.getByText(/^New response 200 after \d+ ms$/).waitFor();
    t.notRegex((await lens.textContent()) ?? '', /open sesame/);

    // The displayed program does the same as the page.
    const { Gitlab } = await import('@gitbeaker/rest');
    await choose(/next_runs\?count=10$/);
    const program = (await snippetAs('@gitbeaker/rest')).split('\n').slice(2).join('\n');
    const ran = (await runInNewContext(`(async () => { ${program}; return body; })()`, {
      Gitlab,
      process: { env: { TOKEN: owner.token } },
    })) as unknown[];
    t.is(ran.length, 10);

    await choose(/^POST \/api\/graphql/);
    t.regex(await snippetAs('GraphQL'), /^query \w+\(\$path: ID!.*# Variables/s);
    t.regex(await snippetAs('python-gitlab'), /gq\.execute\("""query .*variable_values=\{"path": /s);
    t.regex(await snippetAs('curl'), /\/api\/graphql'$/);
    await lens.getByRole('button', { name: 'Resend' }).click();
    await lens.getByText(/^New response 200/).waitFor();
    await keyboard.press('Escape');
    await lens.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Capstan' }).and(page.locator(':focus')).waitFor();

    // A change is shown without its response, and is not sent again.
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused. Activate the schedule').waitFor();
    await page.getByRole('button', { name: 'API calls of this page' }).click();
    await lens.waitFor();
    names.splice(0, names.length, ...(await call.locator('option').allTextContents()));
    await choose(/^PUT /);
    t.regex(await snippetAs('python-gitlab'), /post_data=\{"active": False\}/);
    await becomes(t, () => lens.getByRole('button', { name: 'Resend' }).count(), 0);
    untroubled(t, app, watched);
  }),
);
