/** What somebody who never was here before begins with (graphql.md section 7). */
export const FIRST_QUERY = `# Type a query and run it with Ctrl-Enter.
# Suggestions come as you type, or with Ctrl-Space; the book at the left shows the schema.
{
  currentUser {
    name
  }
}
`;

/** What the editor begins with; what is undefined it has kept from the last visit, or has its default. */
export interface Begin {
  query: string | undefined;
  variables: string | undefined;
  operationName: string | undefined;
  headers: string | undefined;
}

const HEADERS = 'graphql-explorer:headers';

/** What the address asks for, `?query=&variables=&operationName=`, and the headers of this window. */
export function beginOf(search: string): Begin {
  const params = new URLSearchParams(search);
  const text = (name: string) => params.get(name) || undefined;
  const query = text('query');
  return {
    query,
    // Those of the last visit belong to its query.
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

/** Headers may hold a token: they are kept for this window alone, and never with the queries. */
export function keepHeaders(text: string): void {
  try {
    sessionStorage.setItem(HEADERS, text);
  } catch {
    // Storage may be closed to pages; the headers then hold until the page is left.
  }
}

/** The address that leads back to what the editors hold. Headers are never part of it. */
export function addressOf(query: string, variables: string, operationName: string | undefined): string {
  const search = new URLSearchParams({ query });
  if (variables.trim() !== '') search.set('variables', variables);
  if (operationName) search.set('operationName', operationName);
  return `${location.pathname}?${search.toString()}`;
}
