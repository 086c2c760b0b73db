import { readdirSync, readFileSync } from 'node:fs';

/** The pages of `/help` in the order in which they are read, by the names of their files in `api/help`. */
export const HELP_GROUPS = [
  { title: 'Get started', slugs: ['index', 'install', 'configuration', 'instance-settings', 'operate'] },
  {
    title: 'Use',
    slugs: [
      'projects-and-groups',
      'repositories',
      'schedules',
      'pipelines',
      'runners',
      'merge-requests',
      'planning',
      'discussions',
      'snippets-and-wikis',
      'deployments-and-dora',
      'packages',
      'archives',
    ],
  },
  {
    title: 'Administer',
    slugs: ['tokens', 'administration', 'project-and-group-settings', 'limits', 'security'],
  },
  { title: 'Integrate', slugs: ['api', 'clients', 'migrate-from-gitlab'] },
] as const;

/** A page as it is written, without what is generated from declarations. */
export interface HelpSource {
  slug: string;
  title: string;
  markdown: string;
}

/** What a page begins with. */
const TITLE = /^# (.+)\n/;

/** The page without a name of its own. */
const INDEX = 'index';

/** Where a page is. */
export const addressOfPage = (slug: string): string => (slug === INDEX ? '/help' : `/help/${slug}`);

const FOLDER = new URL('../../help/', import.meta.url);

const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8');

/** Where the sections of {@link withSections} stand; at the end of a page that has no such heading. */
const OPERATIONS = /^(?=## API operations\n)/m;

/**
 * A page with its sections that are files of their own, `<page>.<section>.md`, in the order of their names: an area
 * brings its section along, and edits no common file.
 */
export function withSections(markdown: string, sections: readonly string[]): string {
  if (sections.length === 0) return markdown;
  const [before = '', ...after] = markdown.split(OPERATIONS);
  return `${[before, ...sections, ...after].map((part) => part.trim()).join('\n\n')}\n`;
}

/** Reads all pages, which the build copies beside the compiled sources: a build beneath a running service changes nothing of it. */
export function readHelpSources(): ReadonlyMap<string, HelpSource> {
  const files = readdirSync(FOLDER).toSorted();
  const sectionsOf = (slug: string) =>
    files.filter((file) => file.startsWith(`${slug}.`) && file.endsWith('.md') && file !== `${slug}.md`);
  return new Map(
    HELP_GROUPS.flatMap(({ slugs }) => slugs).map((slug) => {
      const markdown = withSections(read(`${slug}.md`), sectionsOf(slug).map(read));
      const title = TITLE.exec(markdown)?.[1];
      if (title === undefined) throw new Error(`api/help/${slug}.md does not begin with a title.`);
      return [slug, { slug, title, markdown }];
    }),
  );
}
