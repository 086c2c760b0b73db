/** The headers of the first page of a list. `query` is how the pages' URLs are written, with `#` for the number. */
export function pageHeaders(url: string, query: string, perPage: number, total: number): Record<string, string> {
  const pages = Math.max(Math.ceil(total / perPage), 1);
  const page = (number: number, rel: string) => `<${url}?${query.replace('#', String(number))}>; rel="${rel}"`;
  const links = [page(1, 'first'), page(pages, 'last')];
  if (pages > 1) links.unshift(page(2, 'next'));
  return {
    Link: links.join(', '),
    'X-Next-Page': pages > 1 ? '2' : '',
    'X-Page': '1',
    'X-Per-Page': String(perPage),
    'X-Prev-Page': '',
    'X-Total': String(total),
    'X-Total-Pages': String(pages),
  };
}
