import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { createDeployProject } from '../deployments/protected-environments/deploy-project.js';
import { becomes, inBrowser, inspect, openPage, signIn, signOut, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.environments
test.serial(
  'a person sees the environments of a project with what is deployed there, and those that are stopped',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const as = app.as(owner);
    const path = `/projects/${project.id}`;
    const sha = (await as.get(`${path}/repository/branches/main`)).body.commit.id;
    const url = `/${project.full_path}/-/environments`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await page.getByText('No environments.').waitFor();
    await inspect(t, page, 'environments-empty');
    await as.post(`${path}/environments`, { name: 'production', external_url: 'https://rocket.example.com' });
    const attributes = { environment: 'production', ref: 'main', sha, tag: false, status: 'success' };
    await as.post(`${path}/deployments`, attributes);
    await as.post(`${path}/environments`, { name: 'review/engine' });
    const old = (await as.post(`${path}/environments`, { name: 'old' })).body;
    await as.post(`${path}/environments/${old.id}/stop`, {});
    await page.reload();
    const row = page.getByRole('row', { name: /^production/ });
    await row.getByText('#1 from main').waitFor();
    await row.getByText(`commit ${sha.slice(0, 8)}`).waitFor();
    await row.getByText('Ada Lovelace').waitFor();
    await becomes(
      t,
      () => row.getByRole('link', { name: 'https://rocket.example.com' }).getAttribute('href'),
      'https://rocket.example.com',
    );
    await page
      .getByRole('row', { name: /^review\/engine/ })
      .getByText('no deployments yet')
      .waitFor();
    await inspect(t, page, 'environments');
    await page.getByRole('link', { name: 'Stopped' }).click();
    await page.getByRole('row', { name: /^old/ }).waitFor();
    await becomes(t, () => page.getByRole('row').count(), 2);
    untroubled(t, app, watched);
  }),
);

// Contract: web.environments
test.serial(
  'environments that are not shown are refused in words',
  inBrowser(async (t) => {
    const project = await app.build.project();
    await app.as(project.owner).put(`/projects/${project.id}`, { environments_access_level: 'disabled' });
    const person = await userWithPassword(app, {});
    await app.build.member(project, 'developer', person);
    const watched = await openPage(app, browser);
    const url = `/${project.full_path}/-/environments`;
    await signIn(watched.page, app, person, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await watched.page.getByText('Environments are turned off in this project').waitFor();
    await watched.page.goto(`${app.url}/nobody/nothing/-/environments`);
    await watched.page.getByText("This project doesn't exist, or you don't have access to it.").waitFor();
    untroubled(t, app, watched, watched.complaints.filter((text) => /status of 40[134]/.test(text)).length);
  }),
);

// Contract: web.environments.approvals
test.serial(
  'who may approve a deployment that waits approves or rejects it there; who may not sees what is missing',
  inBrowser(async (t) => {
    const { project, protectProject, waiting } = await createDeployProject(app);
    const deployer = await userWithPassword(app, { name: 'Grace Hopper' });
    const maintainer = await userWithPassword(app, { name: 'Ada Lovelace' });
    await app.build.member(project, 'developer', deployer);
    await app.build.member(project, 'maintainer', maintainer);
    await protectProject({ approval_rules: [{ access_level: 40, required_approvals: 1 }] });
    const first = await waiting(deployer);
    const url = `/${project.full_path}/-/environments`;
    const redirect = `/users/sign_in?redirect_to=${encodeURIComponent(url)}`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, deployer, redirect);
    const waits = page.getByRole('table', { name: 'Deployments pending approval' });
    await waits.getByText('1 of 1 pending').waitFor();
    await becomes(t, () => waits.getByRole('button').count(), 0);
    await signOut(page);
    await signIn(page, app, maintainer, redirect);
    await page.getByText('Developers + Maintainers can deploy; approvals: 1 of Maintainers').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(request.url());
    });
    await page.reload();
    await waits.waitFor();
    t.true(requests.length <= 5, requests.join(', '));
    await inspect(t, page, 'environments-waiting');
    await waits.getByRole('button', { name: `Approve deployment #${first.iid}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await page.keyboard.type('Tested by hand');
    await page.keyboard.press('Enter');
    await page.getByText(`Deployment #${first.iid} approved.`).and(page.locator(':focus')).waitFor();
    await becomes(t, () => waits.count(), 0);
    const second = await waiting(deployer, { environment: 'production', sha: first.sha });
    await page.reload();
    await waits.getByRole('button', { name: `Reject deployment #${second.iid}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText(`Deployment #${second.iid} rejected.`).waitFor();
    const { body } = await app.as(maintainer).get(`/projects/${project.id}/deployments/${first.id}`);
    t.like(body, { status: 'created', approvals: [{ status: 'approved', comment: 'Tested by hand' }] });
    untroubled(t, app, watched);
  }),
);
