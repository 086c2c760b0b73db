import type { ReferenceLink, ReferenceSource, WantedReference } from '../../core/markdown/reference-source.js';
import { sql } from '../../core/sql.js';
import { referencedProjects } from '../../tenancy/references/referenced-projects.js';
import { visibleSnippets } from './visible-snippets.js';

interface Referenced {
  id: number;
  project_id: number;
  title: string;
}

/** `$1` and its like of other projects: snippets of projects. */
export const snippetReferences: ReferenceSource = {
  syntaxes: [{ kind: 'snippet', sigil: '$', named: ['number'], prefixed: true, routes: ['snippets'] }],
  async resolve(page, wanted) {
    const { ctx } = page;
    const projects = await page.once(referencedProjects);
    const found = await ctx.query<Referenced>(sql`
      select s.id as "id", s.project_id as "project_id", s.title as "title"
        from snippets s join projects p on p.id = s.project_id
       where s.id = any(${wanted.map(({ name }) => Number(name)).filter(Number.isSafeInteger)}::bigint[])
         and ${visibleSnippets(ctx)}`);
    const byId = new Map(found.map((one) => [one.id, one]));
    const links = new Map<WantedReference, ReferenceLink>();
    for (const one of wanted) {
      const snippet = byId.get(Number(one.name));
      const project = projects.of(one);
      if (!snippet || !project || project.id !== snippet.project_id) continue;
      links.set(one, {
        href: `${ctx.config.externalUrl}/${project.full_path}/-/snippets/${snippet.id}`,
        words: `${one.path === null ? '' : project.full_path}$${snippet.id}`,
        title: snippet.title,
        data: { project: project.id, snippet: snippet.id },
      });
    }
    return links;
  },
};
