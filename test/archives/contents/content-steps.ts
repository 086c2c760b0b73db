import type { TestApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { importForm } from '../container-imports/sample-archive.js';

/** What tests of wikis and snippets in archives do again and again. */
export const contentSteps = (app: TestApp) => {
  const { download } = exportSteps(app);

  async function sent(user: BuiltUser, archive: Buffer, kind: 'projects' | 'groups' = 'projects') {
    const at = `contents-${unique()}`;
    const answer = await app
      .as(user)
      .raw('POST', `/api/v4/${kind}/import`, importForm(archive, { path: at, name: `Contents ${at}` }));
    if (answer.status > 202) throw new Error(`Refused with ${answer.status}: ${JSON.stringify(answer.body)}`);
    return { path: at, id: answer.body.id as number };
  }

  async function getFailures(id: number, column: 'project_id' | 'namespace_id' = 'project_id') {
    const { rows } = await app.services.db.pool.query(
      `select f.file, f.line, f.relation, f.reason from archive_import_failures f
         join archive_imports i on i.id = f.import_id where i.${column} = $1 order by f.id`,
      [id],
    );
    return rows as { file: string; line: number | null; relation: string; reason: string }[];
  }

  /** A project with a wiki and snippets, and its archive. */
  async function filledProject() {
    const project = await app.build.project({ empty: false });
    const as = app.as(project.owner);
    const base = `/projects/${project.id}`;
    await as.post(`${base}/wikis`, { title: 'home', content: '# Welcome' });
    await as.post(`${base}/wikis`, { title: 'docs/Setup', content: 'Do this' });
    const { body: snippet } = await as.post(`${base}/snippets`, {
      title: 'Two files',
      description: '*Both*',
      visibility: 'internal',
      files: [
        { file_path: 'a.rb', content: 'puts 1\n' },
        { file_path: 'lib/b.rb', content: 'puts 2\n' },
      ],
    });
    await as.post(`${base}/snippets`, { title: 'Other', visibility: 'private', file_name: 'c.txt', content: 'C' });
    const { body: thread } = await as.post(`${base}/snippets/${snippet.id}/discussions`, { body: 'What for?' });
    await as.post(`${base}/snippets/${snippet.id}/discussions/${thread.id}/notes`, { body: 'For this' });
    await as.post(`${base}/snippets/${snippet.id}/award_emoji`, { name: 'rocket' });
    await as.post(`${base}/export`);
    await app.work();
    const { bytes } = await download(project.owner, project.id, {}, 'projects');
    return { project, snippet: snippet as { id: number }, bytes };
  }
  return { sent, failuresOf: getFailures, filledProject };
};
