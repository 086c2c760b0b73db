import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

// Contract: project-imports-7.status
test('whoever reads a project learns how far its import is, and Maintainers why it failed', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const path = `/projects/${project.id}/import`;
  t.like((await app.as(project.owner).get(path)).body, {
    id: project.id,
    import_status: 'none',
    import_error: null,
    failed_relations: [],
  });
  await app.services.db.pool.query(
    `update projects set import_status = 'failed', import_type = 'git', import_error = 'gone' where id = $1`,
    [project.id],
  );
  const stranger = await app.build.user();
  t.like((await app.as(project.owner).get(path)).body, {
    import_status: 'failed',
    import_type: 'git',
    import_error: 'gone',
  });
  t.like((await app.as(stranger).get(path)).body, { import_status: 'failed', import_error: null });
  t.is((await app.anonymous.get(path)).status, 401);
  const gitlab = new Gitlab({ host: app.url, token: project.owner.token });
  t.like(await gitlab.ProjectImportExports.showImportStatus(project.id), { import_status: 'failed' });
});
