"""The rooms of one process: commands in turn, everybody's stream, deadlines, bots, and who is there."""

from faceup.server.desk.desk import LONGEST_ID, Created, Desk
from faceup.server.desk.figures import Figures
from faceup.server.desk.patience import Patience
from faceup.server.desk.refusals import NoTable
from faceup.server.desk.subscription import Ending, Subscription
from faceup.server.desk.turns import Ack

__all__ = ["LONGEST_ID", "Ack", "Created", "Desk", "Ending", "Figures", "NoTable", "Patience", "Subscription"]
