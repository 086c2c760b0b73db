/** The initial query for new visitors (graphql.md section 7). */
export const FIRST_QUERY = `# Type a query and run it with Ctrl-Enter.
# Get suggestions as you type, or with Ctrl-Space. The book icon opens the schema.
{
  currentUser {
    name
  }
}
`;

/** The initial contents of the editor; undefined values use the state of the last visit, or the default. */
export interface Begin {
  query: string | undefined;
  variables: string | undefined;
  operationName: string | undefined;
  headers: string | undefined;
}

const HEADERS = 'graphql-explorer:headers';

/** The values in the address, `?query=&variables=&operationName=`, and the headers of this window. */
export function beginOf(search: string): Begin {
  const params = new URLSearchParams(search);
  const text = (name: string) => params.get(name) || undefined;
  const query = text('query');
  return {
    query,
    // The stored variables belong to the query of the last visit.
    variables: text('variables') ?? (query === undefined ? undefined : ''),
    operationName: text('operationName'),
    headers: storedHeaders(),
  };
}

function storedHeaders(): string | undefined {
  try {
    return sessionStorage.getItem(HEADERS) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Headers may contain a token: they are stored for this window alone, and never with the queries. */
export function keepHeaders(text: string): void {
  try {
    sessionStorage.setItem(HEADERS, text);
  } catch {
    // Storage may be closed to pages; the headers then hold until the page is left.
  }
}

/** An address that restores the contents of the editors. Headers are never part of it. */
export function getAddress(query: string, variables: string, operationName: string | undefined): string {
  const search = new URLSearchParams({ query });
  if (variables.trim() !== '') search.set('variables', variables);
  if (operationName) search.set('operationName', operationName);
  return `${location.pathname}?${search.toString()}`;
}
