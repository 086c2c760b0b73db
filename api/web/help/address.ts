/** The page that `/help` shows. */
export const INDEX = 'index';

/** Where a page of the help is, or a section of one. */
export const addressOfPage = (slug: string, section?: string): string =>
  `${slug === INDEX ? '/help' : `/help/${slug}`}${section === undefined ? '' : `#${section}`}`;
