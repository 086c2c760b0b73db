import { anyOf } from '../../core/database/expressions.js';
import type { ReferenceLink, ReferenceSource, MarkdownReference } from '../../core/markdown/reference-source.js';
import { referencedProjects } from '../../tenancy/containers/referenced-projects.js';
import type { OfSnippets } from './visible-snippets.js';
import { visibleSnippets } from './visible-snippets.js';

/** `$1` and its like of other projects: snippets of projects. */
export const snippetReferences: ReferenceSource = {
  syntaxes: [{ kind: 'snippet', sigil: '$', nameForms: ['number'], prefixed: true, routes: ['snippets'] }],
  async resolve(page, references) {
    const { ctx } = page;
    const projects = await page.once(referencedProjects);
    const ids = references.map(({ name }) => Number(name)).filter(Number.isSafeInteger);
    const found = await ctx.em
      .getKysely<OfSnippets>()
      .selectFrom('snippets as s')
      .innerJoin('projects as p', 'p.id', 's.project_id')
      .select(['s.id', 's.project_id', 's.title'])
      .where('s.id', '=', anyOf(ids, 'bigint'))
      .where(visibleSnippets(ctx))
      .execute();
    const byId = new Map(found.map((one) => [one.id, one]));
    const links = new Map<MarkdownReference, ReferenceLink>();
    for (const one of references) {
      const snippet = byId.get(Number(one.name));
      const project = projects.of(one);
      if (!snippet || !project || project.id !== snippet.project_id) continue;
      links.set(one, {
        href: `${ctx.config.externalUrl}/${project.full_path}/-/snippets/${snippet.id}`,
        text: `${one.path === null ? '' : project.full_path}$${snippet.id}`,
        title: snippet.title,
        data: { project: project.id, snippet: snippet.id },
      });
    }
    return links;
  },
};
