/**
 * Keeps calls through `exports.default` as fast as the first one. At each call, the pool wraps the prototype of the entrypoint
 * in one more `Proxy`: https://github.com/cloudflare/workers-sdk/issues/15092. Can go with the first version that does not.
 */

/** In the text of the handler that the pool gives to such a proxy. */
const OF_POOL = 'getUnknownPrototypeKey'
const PATCHED = Symbol.for('estia.entrypoint')

/** Makes `new Proxy` return a proxy of the pool as it is, rather than wrap it again. */
export function keepEntrypointFlat(): void {
  // The files of one worker share its globals.
  if (PATCHED in globalThis) return
  const wrapped = new WeakSet<object>()
  globalThis.Proxy = new Proxy(Proxy, {
    construct(native, [target, handler]: [object, ProxyHandler<object>]) {
      if (wrapped.has(target)) return target
      const made = new native(target, handler)
      if (String(handler.get).includes(OF_POOL)) wrapped.add(made)
      return made
    },
  })
  Object.assign(globalThis, { [PATCHED]: true })
}
