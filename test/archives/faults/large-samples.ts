import { filesBundle } from '../contents/scripted-bundle.js';
import { sampleArchive } from '../container-imports/sample-archive.js';
import { sampleProject } from '../container-imports/project-sample.js';

const numbers = (count: number) => Array.from({ length: count }, (_none, at) => at + 1);
const created_at = '2030-01-01T00:00:00Z';
const labels = (count: number) =>
  numbers(count).map((id) => ({ id, title: `Label ${id}`, color: '#112233', created_at }));
const notes = numbers(2).map((id) => ({ id, note: `Note ${id}`, created_at }));

/** An archive of some groups with enough in them for an import to take a while. */
export async function largeGroups(count: number): Promise<Buffer> {
  const wiki = await filesBundle(5);
  const relations = {
    labels: labels(100),
    milestones: numbers(50).map((id) => ({ id, iid: id, title: `Milestone ${id}` })),
    epics: numbers(60).map((id) => ({ id, iid: id, title: `Epic ${id}`, notes, created_at })),
    boards: [{ id: 1, name: 'Board' }],
  };
  const groups = numbers(count).map((id) => ({ id, relations }));
  const wikis = numbers(count).map((id) => ({ name: `./repositories/${id}.wiki.bundle`, body: wiki }));
  return sampleArchive(groups, wikis);
}

/** The same of a project with so many snippets, and a hundred times as many issues. */
export async function largeProject(count: number): Promise<Buffer> {
  const files = await filesBundle(5);
  const snippets = numbers(count);
  return sampleProject({
    relations: {
      labels: labels(100),
      issues: numbers(count * 100).map((id) => ({
        id,
        iid: id,
        title: `Issue ${id}`,
        notes,
        label_links: [{ label: { title: `Label ${(id % 100) + 1}` } }],
      })),
      boards: [{ id: 1, name: 'Board' }],
      snippets: snippets.map((id) => ({ id, title: `Snippet ${id}`, visibility_level: 0, notes })),
    },
    bundle: await filesBundle(40),
    files: {
      'project.wiki.bundle': files,
      ...Object.fromEntries(snippets.map((id) => [`snippets/${id}.bundle`, files])),
    },
  });
}
