"""The stress lab: is a grader gamed by attacks, does it see damage, does it hold still where nothing changed?"""
