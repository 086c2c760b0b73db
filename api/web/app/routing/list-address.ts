/** The list parameters in an address: filters, one of its states, its order and page. */
export interface ListParams<Name extends string, State extends string, Order extends string> {
  filter: Partial<Record<Name, string>>;
  state: State;
  order: Order;
  /** From 1 on. */
  page: number;
}

interface ListOptions<Name extends string, State extends string, Order extends string> {
  filters: readonly Name[];
  /** The first is the default. */
  states: readonly [State, ...State[]];
  /** `<order_by>-<sort>` with labels; the first is the default. */
  orders: Readonly<Record<Order, string>>;
}

/** The requested page in an address, starting at 1. `name` is the parameter of a second list on a page. */
export const pageIn = (search: URLSearchParams, name = 'page'): number =>
  Math.max(1, Number.parseInt(search.get(name) ?? '1', 10) || 1);

/** The list parameters in an address; invalid values count as missing. */
export function readListParams<Name extends string, State extends string, Order extends string>(
  search: URLSearchParams,
  { filters, states, orders }: ListOptions<Name, State, Order>,
): ListParams<Name, State, Order> {
  const entries = filters.map((name) => [name, search.get(name) ?? ''] as const);
  const order = `${search.get('order_by') ?? ''}-${search.get('sort') ?? 'desc'}`;
  const names = Object.keys(orders) as Order[];
  return {
    filter: Object.fromEntries(entries.filter(([, value]) => value !== '')) as Partial<Record<Name, string>>,
    state: states.find((state) => state === search.get('state')) ?? states[0],
    order: names.find((name) => name === order) ?? names[0]!,
    page: pageIn(search),
  };
}

/** The parameters of an order, in the address and of the API. */
export function orderParams(order: string) {
  const [by, sort] = order.split('-') as ['created_at', 'asc' | 'desc'];
  return { order_by: by, sort };
}
