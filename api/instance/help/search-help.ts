import type { HelpPage } from './rendered-pages.js';

/** One section, or the beginning of a page, that holds every word that was searched for. */
interface HelpMatch {
  slug: string;
  /** Of the page. */
  title: string;
  /** Null for what stands above the first heading. */
  section: { id: string; title: string } | null;
  excerpt: string;
}

/** A longer text is none that somebody searches for. */
export const LONGEST_SEARCH = 200;
const MOST_TERMS = 10;
const MOST_MATCHES = 20;
const EXCERPT = 180;
/** How much of the excerpt stands before the first word that was found. */
const BEFORE = 60;

/** A text with the first word that is found in it in sight, cut at words. */
function getExcerpt(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0), text.length);
  const begin = first > BEFORE && first < text.length ? text.indexOf(' ', first - BEFORE) + 1 : 0;
  const end = text.length - begin <= EXCERPT ? text.length : text.lastIndexOf(' ', begin + EXCERPT);
  const cut = text.slice(begin, end > begin ? end : begin + EXCERPT);
  return `${begin > 0 ? '… ' : ''}${cut}${begin + cut.length < text.length ? ' …' : ''}`;
}

/** A match in a title counts more than one in a text. */
function getRank(terms: readonly string[], pageTitle: string, sectionTitle: string): number {
  const isIn = (title: string) => terms.filter((term) => title.toLowerCase().includes(term)).length;
  return isIn(sectionTitle) * 2 + isIn(pageTitle);
}

/** Sections that hold every word, the best first. */
export function searchHelp(pages: Iterable<HelpPage>, search: string): HelpMatch[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_TERMS);
  if (terms.length === 0) return [];
  const matches: { rank: number; match: HelpMatch }[] = [];
  for (const { slug, title, lead, sections } of pages)
    for (const section of [{ id: '', title: '', text: lead }, ...sections]) {
      const text = `${title} ${section.title} ${section.text}`.toLowerCase();
      if (!terms.every((term) => text.includes(term))) continue;
      const found = section.id === '' ? null : { id: section.id, title: section.title };
      matches.push({
        rank: getRank(terms, title, section.title),
        match: { slug, title, section: found, excerpt: getExcerpt(section.text, terms) },
      });
    }
  return matches
    .toSorted((one, other) => other.rank - one.rank)
    .slice(0, MOST_MATCHES)
    .map(({ match }) => match);
}
