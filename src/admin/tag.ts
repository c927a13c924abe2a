/** Name and description of the operator's endpoints in the documentation. */
export const ADMINISTRATION: [name: string, description: string] = [
  'Administration',
  'For operators of the service: API keys, webhooks, import and export, backups, figures, watermarks, and the files of articles. These ' +
    'calls need the `ADMIN_TOKEN` of the deployment as bearer token, or an API key with the scope that each names. If the ' +
    'deployment has no such token, each of them answers 401. What the API itself cannot write is imported: ' +
    'offers, contracts, articles, incomes and expenses. Lookups and settings can be changed one by one as well.',
]
