/** Stand-ins for bindings. */

/** `target` with some of its methods replaced. */
export function overlay<T extends object>(target: T, methods: object): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
