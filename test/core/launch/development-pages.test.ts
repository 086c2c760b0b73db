import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { hasBrowser, useBrowser } from '../browser.js';
import { freePorts, Installation, LAUNCH_MS } from './installation.js';

// A process of its own: a service is started, and sources of its pages change.

const installation = new Installation();
const browser = useBrowser(test);

test.after.always('remove the installation', () => installation.remove());

/** Cold, the first view waits until Vite has bundled the packages. */
const FIRST_VIEW_MS = 120_000;

// Contract: web.development
test('npm run dev serves pages from their sources under a nonce, and a change is seen at once', async (t) => {
  if (!hasBrowser) return t.pass('there is no packaged browser for this system');
  t.timeout(LAUNCH_MS);
  const [port] = await freePorts(1);
  const env = { DATA_DIR: path.join(installation.directory, 'data'), PORT: String(port), LOG_LEVEL: 'error' };
  const dev = await installation.begin(env, undefined, { args: ['dev'] }).ready();

  const getPolicy = async () => {
    const { headers } = await fetch(`${dev.url}/users/sign_in`, { headers: { Accept: 'text/html' } });
    return headers.get('content-security-policy') ?? '';
  };
  const policy = await getPolicy();
  t.regex(policy, /script-src 'self' 'nonce-[\w+/=]{24}'; style-src 'self' 'nonce-[\w+/=]{24}'; img-src 'self'/);
  t.notRegex(policy, /unsafe|https?:|\*/);
  t.not(await getPolicy(), policy, 'each answer has its own nonce');

  const { page, complaints } = await browser.open();
  await page.goto(`${dev.url}/users/sign_in`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: FIRST_VIEW_MS });
  await page.getByLabel('Username or email').fill('typed');
  const source = path.join(installation.checkout, 'api', 'web', 'features', 'auth', 'sign-in', 'SignIn.tsx');
  const text = readFileSync(source, 'utf8');
  const began = performance.now();
  writeFileSync(source, text.replace('title="Sign in"', 'title="Sign in here"'));
  await page.getByRole('heading', { name: 'Sign in here' }).waitFor();
  t.log(`seen after ${Math.round(performance.now() - began)} ms`);
  t.is(await page.getByLabel('Username or email').inputValue(), 'typed', 'the page keeps its state');
  t.deepEqual(complaints, []);
  t.is(await dev.stop(), 0);
});
