/**
 * The headers of the first page of a list. `query` is how the pages' URLs are written, with `#` for the number; a
 * `total` of null is more than is counted.
 */
export function pageHeaders(url: string, query: string, perPage: number, total: number | null): Record<string, string> {
  const pages = total === null ? 2 : Math.max(Math.ceil(total / perPage), 1);
  const page = (number: number, rel: string) => `<${url}?${query.replace('#', String(number))}>; rel="${rel}"`;
  const links = total === null ? [page(1, 'first')] : [page(1, 'first'), page(pages, 'last')];
  if (pages > 1) links.unshift(page(2, 'next'));
  return {
    Link: links.join(', '),
    'X-Next-Page': pages > 1 ? '2' : '',
    'X-Page': '1',
    'X-Per-Page': String(perPage),
    'X-Prev-Page': '',
    ...(total === null ? {} : { 'X-Total': String(total), 'X-Total-Pages': String(pages) }),
  };
}
