export default {
  fetch: () => Response.json({ status: 200 }),
} satisfies ExportedHandler
