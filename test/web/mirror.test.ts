import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { remoteRepository, serveGit, webServer } from '../git/git-remote.js';
import { inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

test.before('let the service fetch from this machine', () =>
  app.set({ allow_local_requests_from_web_hooks_and_services: true }),
);

// Contract: web.mirror
test.serial(
  'a Maintainer sets up a mirror, sees how it goes without its password, and updates it at once',
  inBrowser(async (t) => {
    const repository = await remoteRepository(t);
    let there = true;
    const url = await webServer(t, (request, response) =>
      there ? serveGit(repository, request, response) : response.writeHead(404).end(),
    );
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket', empty: true });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const path = `/${project.full_path}/-/settings/repository`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
    const mirror = page.getByRole('region', { name: 'Mirror', exact: true });
    await mirror.getByText('No mirror configured.').waitFor();
    await mirror.getByRole('link', { name: 'Set up mirror' }).click();
    const settings = page.getByRole('region', { name: 'Repository mirroring' });
    await settings.getByRole('checkbox', { name: 'Mirror the repository' }).check();
    t.true(await page.evaluate('document.querySelector("#repository-mirroring").getBoundingClientRect().top < 100'));
    await settings.getByLabel('Repository URL').fill(url.replace('//', '//ada:very-secret@'));
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await settings.getByText('Saved.').waitFor();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Repository' }).click();
    await mirror.getByText('update queued').waitFor();
    await app.work();
    await mirror.getByText('up to date').waitFor();
    await mirror.getByText(new URL(url).host).waitFor();
    t.false((await page.content()).includes('very-secret'));
    await inspect(t, page, 'mirror');

    await mirror.getByRole('button', { name: 'Update now' }).click();
    await mirror.getByText('The mirror was just updated').waitFor();
    there = false;
    app.clock.advance('6 minutes');
    await page.clock.setFixedTime(app.clock.now());
    await mirror.getByRole('button', { name: 'Update now' }).click();
    await mirror.getByText('Update scheduled.').waitFor();
    await mirror.getByText('update queued').waitFor();
    await app.work();
    await mirror.getByText('last update failed').waitFor();
    await mirror.getByText('Unable to access repository with the URL and credentials provided').waitFor();
    await mirror.getByText('6 min ago').waitFor();
    await inspect(t, page, 'mirror-failed');
    there = true;
    app.clock.advance('6 minutes');
    await page.clock.setFixedTime(app.clock.now());
    await mirror.getByRole('button', { name: 'Update now' }).click();
    await mirror.getByText('update queued').waitFor();
    await app.work();
    await mirror.getByText('up to date').waitFor();
    await mirror.getByRole('link', { name: 'Edit mirror' }).click();
    await settings.getByRole('checkbox', { name: 'Mirror the repository' }).waitFor();
    untroubled(t, app, watched);
  }),
);
