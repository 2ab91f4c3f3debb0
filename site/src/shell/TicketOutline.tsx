/** Where a list is empty: the notched ticket, dashed. */
export const TicketOutline = () => (
  <svg viewBox="0 0 100 48" width="104" height="50" aria-hidden="true">
    <path
      d="M2 2h96v13a8 8 0 0 0 0 18v13H2V33a8 8 0 0 0 0-18zM68 2v44"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="5 4"
    />
  </svg>
)
